// What is live stays true: what is gone leaves the page, and a frozen page stands still.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { enc, fresh, post } from './plane';

test('what is released leaves the page by itself, and a frozen page stands still', async ({ page }) => {
  const [agent, one, two] = [fresh('holder'), `name:${fresh('one')}`, `name:${fresh('two')}`];
  await post('/agents', { agent });
  const take = (lock: string) => post(`/locks/${enc(lock)}/acquire`, { agent, ttl: '5m' });
  const release = (lock: string, token: unknown) => post(`/locks/${enc(lock)}/release`, { agent, token });
  const tokens = [(await take(one)).token, (await take(two)).token];
  await signIn(page, `/locks?q=${agent}`);
  const rows = page.getByRole('region', { name: 'Locks' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await release(one, tokens[0]);
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('p');
  await expect(page.getByTestId('connection')).toHaveText('Paused');
  await release(two, tokens[1]);
  await page.waitForTimeout(2_500);
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('p');
  await expect(page.getByText('No lock is like that.')).toBeVisible();
});

test('an event is seen as it happens, from several streams', async ({ page }) => {
  const [event, agent] = [fresh('deploy'), fresh('holder')];
  await post('/agents', { agent });
  await signIn(page, '/events');
  await expect(page.getByTestId('connection')).toHaveText('Live');
  const lines = page.getByRole('list', { name: 'Events' });
  // Under the pointer nothing moves; what came is counted, and shown when the pointer goes.
  await expect(lines).toContainText('plane:started');
  await lines.hover();
  await lines.hover({ position: { x: 12, y: 12 } });
  await post('/events/all', { event, payload: { step: 1 }, source: 'e2e' });
  await expect(page.getByText('more since you look here')).toBeVisible();
  await expect(lines).not.toContainText(event);
  await page.mouse.move(5, 5);
  await post(`/locks/${enc(`task:${agent}`)}/acquire`, { agent, ttl: '1m' });
  await expect(lines).toContainText(event);
  await expect(lines).toContainText(agent);
  await page.getByRole('group', { name: 'Streams' }).getByLabel('the mesh').uncheck();
  await expect(page).toHaveURL(/stream=lock/);
  await expect(lines).toContainText(agent);
  await expect(lines).not.toContainText(event);
});
