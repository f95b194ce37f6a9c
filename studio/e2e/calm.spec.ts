// A page is calm: nothing moves under the pointer, what is frozen stands still and goes on, keys are for one table, and times are the server's.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, enc, fresh, post } from './plane';

test('what goes under the pointer keeps its place until the pointer leaves', async ({ page }) => {
  const agent = fresh('calm');
  await post('/agents', { agent });
  const locks = ['a', 'b', 'c'].map((name) => `name:${agent}-${name}`);
  const tokens: unknown[] = [];
  for (const lock of locks) tokens.push((await post(`/locks/${enc(lock)}/acquire`, { agent, ttl: '5m' })).token);
  await signIn(page, `/locks?q=${agent}`);
  const table = page.getByRole('region', { name: 'Locks' });
  await expect(table.getByRole('row')).toHaveCount(4);
  const last = table.getByRole('row').last();
  const text = (await last.textContent())?.slice(0, 20) ?? '';
  await last.hover();
  await last.hover({ position: { x: 30, y: 10 } });
  const place = await last.boundingBox();
  await post(`/locks/${enc(locks[0] ?? '')}/release`, { agent, token: tokens[0] });
  await post(`/locks/${enc(locks[1] ?? '')}/release`, { agent, token: tokens[1] });
  await expect(table.locator('tr[data-gone]')).toHaveCount(text.includes(`${agent}-c`) ? 2 : 1);
  expect((await last.boundingBox())?.y).toBe(place?.y);
  await page.mouse.move(5, 5);
  await expect(table.getByRole('row')).toHaveCount(2);
});

test('a page that asks stands still while it is frozen, and goes on', async ({ page }) => {
  const job = fresh('later');
  await signIn(page, '/jobs');
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
  await page.keyboard.press('p');
  await expect(page.getByTestId('connection')).toHaveText('Paused');
  await post('/jobs', { id: job, queue: 'job:low', payload: '{}', in: '1h' });
  await page.waitForTimeout(6_000);
  await expect(page.getByRole('link', { name: job })).toBeHidden();
  // What is frozen gets older, and says so.
  await expect(page.getByText(/as of \d+\ss\sago/)).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByRole('link', { name: job })).toBeVisible({ timeout: 3_000 });
  await ask('DELETE', `/jobs/${job}`);
  // It is among those that have ended, and there once.
  await expect(page.getByRole('row', { name: new RegExp(job) })).toContainText('cancelled');
  await expect(page.getByRole('link', { name: job })).toHaveCount(1);
});

test('with two tables on a page the keys are for one of them', async ({ page }) => {
  const flow = fresh('flow');
  await ask('PUT', `/workflows/${flow}`, { topology: { entry: ['a'], stages: [{ name: 'a', terminal: true, accepted_actions: ['go'] }] } });
  await post(`/workflows/${flow}/runs`, { task: `${flow}-1`, payload: {} });
  await signIn(page, `/workflows?q=${flow}`);
  await expect(page.getByRole('link', { name: `${flow}-1` })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Workflows' }).getByRole('row').nth(1)).toBeVisible();
  // A page that has just been drawn may not listen to keys yet.
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(page.locator('tr[data-at="true"]')).toHaveCount(1, { timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: `Run of ${flow}-1` })).toBeVisible();
  await page.keyboard.press('Escape');
  // A table that has the focus is walked by the arrows too.
  await page.getByRole('region', { name: 'Workflows' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: /^Workflow / })).toBeVisible();
});

test('a letter alone leads nowhere, however soon it is pressed', async ({ page }) => {
  await signIn(page, '/agents');
  // As soon as the page listens, which may be a moment after it was opened.
  await page.addInitScript(() => {
    const timer = setInterval(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })), 20);
    setTimeout(() => clearInterval(timer), 1_100);
  });
  await page.goto('/agents');
  await page.waitForTimeout(1_500);
  await expect(page).toHaveURL(/agents/);
});

test('times are the server’s, however wrong the clock of the browser is', async ({ page }) => {
  const skew = 5 * 3_600_000;
  await page.addInitScript((ms) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ms;
  }, skew);
  await signIn(page, '/jobs');
  for (const path of ['/jobs', '/dead', '/messages', '/agents', '/']) {
    await page.goto(path);
    await expect(page.locator('.eyebrow'), path).toContainText(/as of (now|\d+\ss\sago)/);
  }
});
