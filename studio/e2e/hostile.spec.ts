// Whatever others write stays text: no dialog, no script, no report of the policy, on any page.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, enc, fresh, get, pause, post } from './plane';
import { service } from './service';

const CORPUS = [
  '<script>window.hit=1;alert(1)</script>', '<img src=x onerror="window.hit=1;alert(1)">', '<svg/onload=window.hit=1>', 'javascript:window.hit=1',
  'data:text/html,<script>window.hit=1</script>', '{{7*7}}', '</script><script>window.hit=1</script>', '[x](javascript:window.hit=1)', '\u202Etxt.exe', "=cmd|'/C calc'!A0", '"><iframe srcdoc="<script>parent.hit=1</script>">',
];
const ALL = CORPUS.join(' ');

test('hostile text is inert everywhere', async ({ page }) => {
  test.setTimeout(180_000);
  const agent = fresh('hostile');
  const { task, job, letter, queue } = await write(agent);
  const sick = await ill(agent);
  const found: string[] = [];
  page.on('dialog', (dialog) => { found.push(`dialog ${dialog.message()}`); void dialog.dismiss(); });
  page.on('pageerror', (error) => found.push(`error ${error.message}`));
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => ((window as never as { broke: string[] }).broke ??= []).push(event.violatedDirective)));
  await signIn(page);
  const places = [`/agents/${agent}`, `/locks/name:${agent}`, `/queues/${queue}`, `/dead/${letter}`, `/tasks/${task}`, `/workflows/runs/${task}`, `/messages?agent=${agent}`, `/messages?thread=${agent}`, `/jobs/${job}`, `/services/${agent}`, '/services', `/services?q=${enc(ALL)}`, `/tasks?tab=search&task=${enc(ALL)}`, '/events', '/events?tab=logs', `/keys?key=${enc(ALL)}`, '/settings?tab=trail', `/tasks?q=${enc(ALL)}`, `/locks?id=${enc(ALL)}`, '/'];
  for (const place of places) {
    await page.goto(place);
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
    await page.waitForTimeout(250);
    const state = await page.evaluate(() => ({ hit: 'hit' in window, broke: (window as never as { broke?: string[] }).broke ?? [], inside: document.querySelectorAll('main script, main iframe, main img, aside img, aside script, a[href^="javascript"], a[href^="data"]').length }));
    expect(state, place).toEqual({ hit: false, broke: [], inside: 0 });
  }
  expect(found).toEqual([]);
  sick.end();
});

/** A service all of whose texts are hostile: its name, its labels, its workers, its events. */
async function ill(id: string) {
  const own = await service(ALL);
  own.tell(`${id}-task`, 'failed', { error: ALL, stage: ALL });
  await post('/services', { service_id: id, name: ALL.slice(0, 200), base_url: own.url, environment: 'hostile', tags: CORPUS });
  await post(`/services/${id}/health/refresh`);
  for (let turn = 0; turn < 60 && (await get(`/services/${id}/events`)).items.length === 0; turn++) await pause(250);
  return own;
}

async function write(agent: string) {
  const [task, job, queue] = [fresh('task'), fresh('job'), `job:${fresh('hostile')}`];
  await post('/agents', { agent, task: ALL, blob: { note: ALL } });
  await post(`/locks/${enc(`name:${agent}`)}/acquire`, { agent, ttl: '5m', purpose: ALL });
  await post(`/queues/${queue}/push`, { payload: JSON.stringify({ text: ALL }), max_attempts: 1 });
  const { items } = await post(`/queues/${queue}/claim`, { agent, max: 1, lease: '1m' });
  const { letter } = await post('/queues/nack', { token: items[0].token, agent, error: ALL });
  await post(`/dead/${letter}/investigate`, { note: ALL });
  await post(`/tasks/${task}/status`, { status: 'processing', message: ALL, meta: { note: ALL }, service: 'x', fields: { note: ALL }, result: ALL });
  await post(`/tasks/${task}/observations`, { event_type: 'seen', component: ALL, fields: { note: ALL } });
  await ask('PUT', `/workflows/${agent}`, { topology: { entry: ['a'], stages: [{ name: 'a', terminal: true, accepted_actions: ['go']}] } });
  await post(`/workflows/${agent}/runs`, { task, payload: { text: ALL } });
  await post('/messages', { from: agent, to: agent, text: ALL, subject: ALL.slice(0, 200), thread: agent });
  await post('/jobs', { id: job, queue: 'job:low', payload: ALL, in: '1h' });
  await post('/events/all', { event: 'note', payload: { text: ALL }, source: 'x' });
  await post('/logs/hostile', { message: ALL, level: 'error', fields: { note: ALL } });
  await post(`/agents/${agent}/drain`, { reason: ALL });
  return { task, job, letter, queue };
}
