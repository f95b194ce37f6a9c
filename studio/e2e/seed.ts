// A small fleet in the middle of its day, for pictures and for the pages that want something to show.
import { ask, enc, pause, post } from './plane';

const ROLES = ['builder', 'reviewer', 'planner', 'tester'];

export async function seed(): Promise<void> {
  for (let at = 1; at <= 14; at++) {
    await post('/agents', { agent: `worker-${at}`, role: ROLES[at % 4], task: at % 3 ? `crates/plane, part ${at}` : undefined, capabilities: ['rust', 'review'].slice(at % 2), max_tasks: 4, lease: '10m' });
  }
  await post('/agents/worker-9/drain', { reason: 'its machine goes away tonight' });
  await locks();
  await work();
  await tasks();
  await flows();
  await talk();
  await services();
}

/** Nobody answers at that port, so one is unreachable; the other one is disabled. */
async function services() {
  await post('/services', { service_id: 'shop', name: 'Shop', base_url: 'http://127.0.0.1:9', environment: 'production', tags: ['core'] }).catch(() => undefined);
  await post('/services/shop/health/refresh');
  await post('/services', { service_id: 'old-shop', name: 'Shop, before', base_url: 'http://127.0.0.1:9/old', environment: 'staging', tags: ['core'] }).catch(() => undefined);
  await post('/services/old-shop/disable');
}

async function locks() {
  const take = (lock: string, agent: string, more: object = {}) => post(`/locks/${enc(lock)}/acquire`, { agent, ttl: '10m', ...more });
  await take('name:release', 'worker-1', { purpose: 'cutting 0.2' });
  await take('task:schema-7', 'worker-2');
  await take('file:crates/plane/src/lib.rs', 'worker-3');
  await take('project:studio', 'worker-4');
  await take('resource:gpu:a100-1', 'worker-5', { shared: true });
  await take('resource:gpu:a100-1', 'worker-6', { shared: true });
  const wait = { wait: '10m', detach: true };
  await take('name:release', 'worker-5', { ...wait, purpose: 'docs for 0.2' });
  await take('name:release', 'worker-6', wait);
  await take('task:schema-7', 'worker-1', wait);
  await take('file:crates/plane/src/lib.rs', 'worker-7', wait);
  await take('resource:gpu:a100-1', 'worker-3', wait);
}

async function work() {
  for (let at = 0; at < 40; at++) {
    await post(`/queues/${['high', 'normal', 'low'][at % 3]}/push`, { payload: JSON.stringify({ build: at, ref: 'main' }), max_attempts: 1 });
  }
  const claimed = await post('/queues/normal/claim', { agent: 'worker-8', max: 9, lease: '10m' });
  const errors = ['timeout after 30 s calling registry.example', 'missing field `ref` at line 1', 'timeout after 31 s calling registry.example'];
  for (const [at, item] of (claimed.items ?? []).entries()) {
    await post('/queues/nack', { token: item.token, agent: 'worker-8', error: errors[at % 3] });
  }
  await post('/queues/high/claim', { agent: 'worker-10', max: 3, lease: '10m' });
  await post('/jobs', { id: 'nightly-audit', queue: 'job:archive', payload: '{}', cron: '0 3 * * *', zone: 'Europe/Zurich' }).catch(() => undefined);
  await post('/jobs', { id: 'reindex', queue: 'job:reindex', payload: '{"full":true}', cron: '*/15 * * * *' }).catch(() => undefined);
  await post('/jobs/reindex/run');
}

async function tasks() {
  const say = (task: string, status: string, more: object = {}) => post(`/tasks/${task}/status`, { status, ...more });
  for (const task of ['import-42', 'import-43', 'render-7', 'embed-9']) await say(task, 'queued', { service: 'pipeline', message: 'accepted' });
  await say('import-42', 'processing', { service: 'pipeline', message: 'reading 12 files' });
  for (const child of ['import-42-a', 'import-42-b', 'import-42-c']) {
    await say(child, 'queued', { service: 'pipeline', meta: { parent_task_id: 'import-42' } });
    await say(child, child.endsWith('c') ? 'failed' : 'completed', { service: 'pipeline', meta: { parent_task_id: 'import-42' }, message: child.endsWith('c') ? 'bad header in file 3' : 'ok' });
  }
  await post('/tasks/import-42/observations', { event_type: 'retry_scheduled', component: 'pipeline', fields: { attempt: 2 } });
  await say('import-42', 'processing', { service: 'pipeline', message: 'second attempt', meta: { attempt: 2 } });
  await say('render-7', 'completed', { service: 'render', result: { frames: 240 } });
  await post('/tasks/embed-9/lease', { owner: 'worker-3', ttl: '10m' });
}

async function flows() {
  const stage = (name: string, next: string[], more: object = {}) => ({ name, allowed_next_stages: next, accepted_actions: ['go'], owner: 'platform', ...more });
  await ask('PUT', '/workflows/publish', {
    topology: {
      entry: ['draft'],
      stages: [stage('draft', ['check', 'render']), stage('check', ['join']), stage('render', ['join']), stage('join', ['ship'], { join: { rule: 'all', branches: ['check', 'render'] } }), stage('ship', [], { terminal: true })],
    },
  });
  for (const task of ['book-1', 'book-2']) {
    await post('/workflows/publish/runs', { task, payload: { title: task } }).catch(() => undefined);
    const entered = await post(`/workflows/runs/${task}/stages/draft/enter`, { action: 'go', agent: 'worker-2' });
    if (task === 'book-1' && entered.attempt) await post(`/workflows/runs/${task}/stages/draft/complete`, { attempt: entered.attempt, next: [{ stage: 'check', action: 'go' }, { stage: 'render', action: 'go' }] });
  }
}

async function talk() {
  const send = (from: string, to: string, text: string, more: object = {}) => post('/messages', { from, to, text, thread: 'release-0.2', ...more });
  await send('worker-1', 'worker-5', 'Who has the changelog?', { subject: 'Release 0.2' });
  await send('worker-5', 'worker-1', 'I do. Ten minutes.', { subject: 'Re: Release 0.2' });
  await send('worker-1', 'worker-3', 'Please let go of lib.rs when you can.', { ack_by: '5m' });
  const read = await post('/messages/inbox/worker-5/read', {});
  if (read.messages?.[0]?.id) await post('/messages/inbox/worker-5/ack', { messages: [read.messages[0].id], acted_on: 'sent the changelog' });
  await post('/messages/inbox/worker-3/read', {});
  for (let at = 0; at < 20; at++) {
    await post(`/logs/${['api', 'scheduler', 'ingest'][at % 3]}`, { message: ['request served', 'took a tick', 'batch of 20 stored', 'slow answer of the registry'][at % 4], level: ['info', 'info', 'info', 'warn'][at % 4], target: 'plane' });
    if (at % 5 === 0) await post('/events/all', { event: 'deploy.step', payload: { step: at / 5 + 1, of: 4 }, source: 'ci' });
  }
  await pause(100);
}
