// BullMQ as it comes, on the same server: `node bench.mjs PORT JOBS CONCURRENCY`. Pushes no-op jobs in bulk, works them
// off with one worker, then times the way to an idle worker. Prints jobs a second of the push and of both together, the
// 99th percentile in milliseconds, and whether each job arrived once.
import { Queue, Worker } from 'bullmq';

const [port, jobs, concurrency] = process.argv.slice(2).map(Number);
const connection = { host: '127.0.0.1', port };
const opts = { removeOnComplete: true };
const chunk = 500;
const since = (from) => Number(process.hrtime.bigint() - from) / 1e6;

const queue = new Queue('bench', { connection });
await queue.waitUntilReady();
const started = process.hrtime.bigint();
for (let at = 0; at < jobs; at += chunk) {
  const many = Array.from({ length: Math.min(chunk, jobs - at) }, (_, n) => ({ name: 'job', data: { n: at + n }, opts }));
  await queue.addBulk(many);
}
const push = since(started);
const seen = new Set();
let twice = 0;
let completed = 0;
const handler = async (job) => {
  twice += seen.has(job.data.n) ? 1 : 0;
  seen.add(job.data.n);
};
const worker = new Worker('bench', handler, { connection, concurrency, autorun: false });
const done = new Promise((resolve) => worker.on('completed', () => { completed += 1; if (completed === jobs) resolve(); }));
worker.run();
await done;
const all = since(started);
await worker.close();

const waits = [];
let arrived;
const idle = new Worker('idle', async () => arrived(process.hrtime.bigint()), { connection, concurrency: 1 });
const idleQueue = new Queue('idle', { connection });
await idle.waitUntilReady();
for (let n = 0; n < 200; n += 1) {
  const arrival = new Promise((resolve) => { arrived = resolve; });
  const from = process.hrtime.bigint();
  await idleQueue.add('job', {}, opts);
  waits.push(Number((await arrival) - from) / 1e6);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
waits.sort((a, b) => a - b);
const exact = seen.size === jobs && twice === 0;
console.log(JSON.stringify({ push: (jobs * 1e3) / push, full: (jobs * 1e3) / all, p99: waits[197], exact }));
process.exit(0);
