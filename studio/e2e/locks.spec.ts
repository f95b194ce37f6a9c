// Somebody is stuck: find the lock, follow it to its holder; see a ring appear, and break it.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, enc, fresh, get, post } from './plane';

test('a stuck lock leads to its holder', async ({ page }) => {
  const [lock, holder, waiter] = [`name:${fresh('stuck')}`, fresh('holder'), fresh('waiter')];
  for (const agent of [holder, waiter]) await post('/agents', { agent });
  await post(`/locks/${enc(lock)}/acquire`, { agent: holder, ttl: '5m', purpose: 'long work' });
  await post(`/locks/${enc(lock)}/acquire`, { agent: waiter, wait: '5m', detach: true });
  await signIn(page, '/locks');
  await page.getByLabel('Lock or agent').fill(lock);
  await page.getByRole('row', { name: new RegExp(holder) }).getByRole('link', { name: lock }).click();
  const drawer = page.getByRole('complementary', { name: `Lock ${lock}` });
  await expect(drawer).toContainText('long work');
  await expect(drawer.getByRole('link', { name: waiter })).toBeVisible();
  await drawer.getByRole('link', { name: holder }).click();
  const agent = page.getByRole('complementary', { name: `Agent ${holder}` });
  await expect(agent.getByRole('link', { name: lock })).toBeVisible();
});

test('a lock says since and until when, and who gave up is not said to wait', async ({ page }) => {
  const [lock, holder, waiter, late] = [`name:${fresh('slow')}`, fresh('holder'), fresh('waiter'), fresh('late')];
  for (const agent of [holder, waiter, late]) await post('/agents', { agent });
  await post(`/locks/${enc(lock)}/acquire`, { agent: holder, ttl: '5m' });
  await post(`/locks/${enc(lock)}/acquire`, { agent: late, wait: '1s', detach: true });
  await post(`/locks/${enc(lock)}/acquire`, { agent: waiter, wait: '5m', detach: true });
  await signIn(page, `/agents?q=${holder}`);
  await expect(page.getByRole('region', { name: 'Agents' }).getByRole('row').nth(1).getByRole('cell').nth(4)).toHaveText('1');
  await page.goto(`/locks?q=${holder}`);
  const row = page.getByRole('region', { name: 'Locks' }).getByRole('row', { name: new RegExp(holder) });
  await expect(row).toContainText(/(now|\d+\ss\sago).*in\s4\smin/);
  await row.getByRole('cell').nth(2).click();
  const drawer = page.getByRole('complementary', { name: `Lock ${lock}` });
  await expect(drawer.getByRole('heading', { name: 'Waiting: 1' })).toBeVisible();
  await expect(drawer.getByRole('link', { name: waiter })).toBeVisible();
  await expect(drawer.getByRole('link', { name: late })).toBeHidden();
});

test('a deadlock appears, and is broken', async ({ page }) => {
  const keeper = fresh('keeper');
  const plant = `name:${fresh('plant')}`;
  await post('/agents', { agent: keeper });
  const { token } = await post(`/locks/${enc(plant)}/acquire`, { agent: keeper, ttl: '5m' });
  // The plane breaks rings by itself; for a while it is told not to, by the flag that the catalog names.
  const { pattern } = await get('/keys/ade.feature');
  const flag = pattern.replace('<flag_name>', 'deadlock_detection');
  const guard = (...write: string[]) => post(`/locks/${enc(plant)}/guard`, { token, write });
  await guard('SET', flag, 'disabled');
  try {
    await signIn(page, '/locks');
    const [one, two] = [fresh('left'), fresh('right')];
    await expect(async () => {
      for (const agent of [one, two]) await post('/agents', { agent });
      await ring(one, two);
      expect((await get('/locks/deadlocks')).deadlocks.length).toBeGreaterThan(0);
    }).toPass({ timeout: 15_000 });
    await expect(page.getByRole('alert').filter({ hasText: one })).toContainText(`${two} waits for`, { timeout: 20_000 });
    await expect(page.getByRole('heading', { level: 1 })).toContainText('wait for each other');
    await page.getByRole('button', { name: /^Break/ }).click();
    await expect(page.getByRole('alert').filter({ hasText: one })).toBeHidden();
    await expect(page.getByRole('status').filter({ hasText: 'quorate locks deadlocks --break' })).toBeVisible();
  } finally {
    await guard('DEL', flag);
    await ask('POST', '/locks/deadlocks/break', {});
  }
});

/** Each holds what the other one waits for. */
async function ring(one: string, two: string) {
  const [x, y] = [`name:${one}`, `name:${two}`];
  await post(`/locks/${enc(x)}/acquire`, { agent: one, ttl: '5m' });
  await post(`/locks/${enc(y)}/acquire`, { agent: two, ttl: '5m' });
  await post(`/locks/${enc(y)}/acquire`, { agent: one, wait: '5m', detach: true });
  await post(`/locks/${enc(x)}/acquire`, { agent: two, wait: '5m', detach: true });
}
