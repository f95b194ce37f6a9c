// Who may what: controls know it, a page that may not be seen says so, and a browser can be kept from changing anything.
import { type Page, expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, fresh, post } from './plane';

async function signInWith(page: Page, token: string, path: string) {
  await page.goto(path);
  await page.getByLabel('One-time code or token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a viewer sees and cannot act', async ({ page }) => {
  const [agent, name] = [fresh('seen'), fresh('viewer')];
  await post('/agents', { agent });
  const { token } = await post('/tokens', { name, role: 'viewer' });
  await signInWith(page, token, `/agents/${agent}`);
  const revoke = page.getByRole('complementary', { name: `Agent ${agent}` }).getByRole('button', { name: 'Revoke' });
  await expect(revoke).toBeDisabled();
  await expect(revoke).toHaveAttribute('title', /agents:operate.*viewer/);
  await page.goto('/settings');
  await expect(page.getByText('You may not see this.')).toBeVisible();
});

test('a token for one noun sees its page alone', async ({ page }) => {
  const { token } = await post('/tokens', { name: fresh('narrow'), role: 'viewer', scopes: ['locks:read'] });
  await signInWith(page, token, '/locks');
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await expect(rail.getByRole('link', { name: 'Locks' })).toBeVisible();
  await expect(rail.getByRole('link', { name: 'Services' })).toBeHidden();
  await expect(page.getByTestId('connection')).toHaveText('Live');
  await page.goto('/services');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You may not see this page.');
  await expect(page.getByRole('alert')).toContainText('services:read');
});

test('who may see agents alone is told nothing about locks, and the page is live', async ({ page }) => {
  const agent = fresh('lone');
  await post('/agents', { agent });
  const { token } = await post('/tokens', { name: fresh('narrow'), role: 'viewer', scopes: ['agents:read'] });
  await signInWith(page, token, `/agents?q=${agent}`);
  const table = page.getByRole('region', { name: 'Agents' });
  await expect(table.getByRole('link', { name: agent })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Locks' })).toBeHidden();
  // A line that is refused would be laid again and again.
  await page.waitForTimeout(2_500);
  await expect(page.getByTestId('connection')).toHaveText('Live');
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText(/holds? (nothing|locks)/);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Nobody can say right now: you may not see');
});

test('a token is narrowed where it is made', async ({ page }) => {
  const [name, agent] = [fresh('narrowed'), fresh('bound')];
  await signIn(page, '/settings');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel(/Only these scopes/).fill('locks:read, queues:work');
  await page.getByLabel(/Acts only as/).fill(agent);
  await page.getByLabel('Ends after').fill('30d');
  await page.getByRole('button', { name: 'Make it' }).click();
  await expect(page.getByText(`quorate tokens create --role agent --scope locks:read --scope queues:work --agent ${agent} --ttl 30d ${name}`)).toBeVisible();
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText(`locks:read, queues:work, agent ${agent}`);
  await expect(row).toContainText(/in\s(29|30)\sd/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('the last to change something was');
});

test('read-only mode keeps this browser from changing anything', async ({ page }) => {
  const agent = fresh('calm');
  await post('/agents', { agent });
  await signIn(page, `/agents/${agent}`);
  const revoke = page.getByRole('complementary', { name: `Agent ${agent}` }).getByRole('button', { name: 'Revoke' });
  await expect(revoke).toBeEnabled();
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByLabel(/Read-only/).check();
  await page.getByRole('dialog', { name: 'You' }).getByRole('button', { name: 'Close' }).click();
  await expect(revoke).toBeDisabled();
  await expect(revoke).toHaveAttribute('title', 'Read-only mode is on.');
});

test('a refusal explains itself', async ({ page }) => {
  const [agent, lock] = [fresh('owner'), `name:${fresh('kept')}`];
  await post('/agents', { agent });
  await post(`/locks/${encodeURIComponent(lock)}/acquire`, { agent, ttl: '5m' });
  await signIn(page, `/locks?id=${encodeURIComponent(lock)}`);
  const drawer = page.getByRole('complementary', { name: `Lock ${lock}` });
  await drawer.getByRole('button', { name: 'Steal' }).click();
  await drawer.getByRole('dialog').getByRole('button', { name: 'Steal' }).click();
  const toast = page.getByRole('status').filter({ hasText: 'Steal: not done' });
  await expect(toast).toContainText('What to do');
  await expect(toast).toContainText('quorate locks steal');
  expect((await ask('GET', `/locks/${encodeURIComponent(lock)}`)).holders[0].agent).toBe(agent);
});

test('many letters are replayed with a count of how far it is', async ({ page }) => {
  const [agent, queue] = [fresh('worker'), `job:${fresh('bulk')}`];
  const failure = `cannot reach the depot of ${fresh('').replace(/[^a-z]/g, 'q')}`;
  await post('/agents', { agent });
  for (let at = 0; at < 120; at++) await post(`/queues/${queue}/push`, { payload: '{}', max_attempts: 1 });
  for (let left = 120; left > 0; ) {
    const { items = [] } = await post(`/queues/${queue}/claim`, { agent, max: 50, lease: '1m' });
    await Promise.all(items.map((item: { token: string }) => post('/queues/nack', { token: item.token, agent, error: failure })));
    left -= items.length;
  }
  await signIn(page, '/dead');
  // Each step takes a moment, so that the count can be seen.
  await page.route('**/api/v1/dead/replay', async (route) => { await new Promise((done) => setTimeout(done, 400)); await route.continue(); });
  const cluster = page.getByTestId('cluster').filter({ hasText: failure });
  await cluster.getByRole('button', { name: 'Replay all' }).click();
  await cluster.getByRole('dialog').getByRole('button', { name: 'Replay all' }).click();
  await expect(cluster.getByText(/^\d+ of 120$/)).toBeVisible();
  await expect(page.getByText('120 replayed')).toBeVisible();
  for (let left = 120; left > 0; ) {
    const { items = [] } = await post(`/queues/${queue}/claim`, { agent, max: 50, lease: '1m' });
    await Promise.all(items.map((item: { token: string }) => post('/queues/ack', { token: item.token, agent })));
    left -= items.length || 120;
  }
});
