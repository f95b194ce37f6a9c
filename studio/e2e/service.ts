// A real service on this machine, as Relayna's are, that can be made ill.
import { createServer } from 'node:http';

export type Mood = 'well' | 'limping' | 'away';

export async function service(name = 'w') {
  let mood: Mood = 'well';
  const events: object[] = [];
  const worker = (id: string, running: boolean) => ({ worker_id: id, running, last_heartbeat_at: new Date().toISOString(), active_leases: [] });
  const answers: Record<string, () => object> = {
    '/relayna/capabilities': () => ({ supported_routes: ['events.feed', 'health.workers'], feature_flags: [], service_metadata: { compatibility: 'capabilities_v1' } }),
    '/relayna/health/workers': () => ({ reported_at: new Date().toISOString(), workers: [worker(`${name}-1`, true), worker(`${name}-2`, mood !== 'limping')] }),
    '/events/feed': () => ({ items: [...events].reverse(), next_cursor: null }),
  };
  const server = createServer((request, response) => {
    const say = answers[(request.url ?? '').split('?')[0] ?? ''];
    if (mood === 'away' || !say) response.writeHead(mood === 'away' ? 503 : 404).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(say()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    set: (next: Mood) => (mood = next),
    tell: (task: string, status: string, payload: object = {}) => events.push({ cursor: `c${events.length}`, event_id: `e${events.length}`, task_id: task, event_type: `status.${status}`, source_kind: 'status', timestamp: new Date().toISOString(), payload: { status, ...payload } }),
    end: () => { server.closeAllConnections(); server.close(); },
  };
}
