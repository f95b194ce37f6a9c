// What is live stays true: what is gone leaves the page, a frozen page stands still, and a big table stays smooth.
import { type Locator, expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, enc, fresh, post } from './plane';

/** As many as a table must bear; the tests of every day take fewer. */
const ROWS = Number(process.env.QUORATE_STUDIO_ROWS ?? 600);

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

/** Scrolls a table by so much a frame, and gives how long each frame took, the shortest first. */
const scroll = (table: Locator, frames: number, step?: number) =>
  table.evaluate(async (own, [many, by]) => {
    const took: number[] = [];
    own.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    let last = performance.now();
    for (let at = 0; at < (many ?? 0); at++) {
      own.scrollTop += by ?? own.scrollHeight / (many ?? 1);
      await new Promise(requestAnimationFrame);
      took.push(performance.now() - last);
      last = performance.now();
    }
    return took.sort((a, b) => a - b);
  }, [frames, step] as const);

const told = (frames: number[]) => `${(frames[Math.floor(frames.length / 2)] ?? 0).toFixed(1)} ms, one of twenty ${(frames[Math.floor(frames.length * 0.95)] ?? 0).toFixed(1)} ms`;

test(`a table of ${ROWS} rows is drawn where it is looked at, and scrolls smoothly`, async ({ page }) => {
  test.setTimeout(180_000);
  const name = fresh('many');
  // So many agents do not come in a minute; for this once they may.
  await ask('PUT', `/limits/${enc('agents:register')}`, { rule: '100000/1m' });
  for (let from = 0; from < ROWS; from += 50) {
    await Promise.all(Array.from({ length: Math.min(50, ROWS - from) }, (_, at) => post('/agents', { agent: `${name}-${from + at}`, lease: '10m' })));
  }
  await ask('DELETE', `/limits/${enc('agents:register')}`);
  await signIn(page, `/agents?q=${name}`);
  const table = page.getByRole('region', { name: 'Agents' });
  await expect(table.getByRole('table')).toHaveAttribute('aria-rowcount', String(ROWS), { timeout: 30_000 });
  expect(await table.getByRole('row').count()).toBeLessThan(80);
  // By a wheel, under the pointer, while agents are heard from and the view changes; then from end to end, where every frame has only new rows.
  await table.hover();
  let beating = true;
  const beats = (async () => { for (let at = 0; beating; at++) await post(`/agents/${name}-${at % ROWS}/heartbeat`, {}).catch(() => undefined); })();
  const wheel = await scroll(table, 150, 120);
  beating = false;
  await beats;
  await page.mouse.move(5, 5);
  const whole = await scroll(table, 90);
  console.log(`rows ${ROWS}: a frame took ${told(wheel)} by the wheel, ${told(whole)} from end to end`);
  expect(wheel[75] ?? 0).toBeLessThan(40);
  expect(whole[45] ?? 0).toBeLessThan(60);
  await expect(table.getByRole('row').last()).toContainText(name);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: new RegExp(`Agent ${name}`) })).toBeVisible();
});
