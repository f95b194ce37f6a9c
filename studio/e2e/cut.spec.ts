// A cut connection: the page says so, comes back by itself and misses nothing.
import { type Socket, createServer, connect } from 'node:net';
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { TOKEN, URL_, fresh, post } from './plane';

test('a cut connection recovers without a reload', async ({ page }) => {
  const line = await wire();
  await page.goto(`http://127.0.0.1:${line.port}/agents`);
  await page.getByLabel('One-time code or token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const state = page.getByTestId('connection');
  await expect(state).toHaveText('Live');
  await page.evaluate(() => ((window as never as { same: boolean }).same = true));
  line.cut();
  await expect(state).toHaveText('Reconnecting');
  const agent = fresh('meanwhile');
  await post('/agents', { agent });
  line.mend();
  await expect(state).toHaveText('Live');
  await page.getByLabel('Id, role or task').fill(agent);
  await expect(page.getByRole('row', { name: new RegExp(agent) })).toBeVisible();
  expect(await page.evaluate(() => (window as never as { same?: boolean }).same)).toBe(true);
  await page.close();
  line.end();
});

test('a page that is opened while nobody answers says so, and goes on by itself', async ({ page }) => {
  await signIn(page);
  // The app comes, and what it asks for does not.
  await page.route('**/api/v1/me', (route) => route.abort());
  await page.goto('/locks');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('does not answer');
  await page.unroute('**/api/v1/me');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/held|wait/);
});

/** A wire between the browser and the plane that can be cut. */
async function wire() {
  const { hostname, port } = new URL(URL_);
  const open = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => { near.destroy(); far.destroy(); open.delete(socket); });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const cut = () => { whole = false; open.forEach((socket) => socket.destroy()); };
  return { port: typeof address === 'object' && address ? address.port : 0, cut, mend: () => (whole = true), end: () => { cut(); server.close(); } };
}
