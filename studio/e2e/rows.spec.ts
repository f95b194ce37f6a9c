// A big table stays smooth. What counts is how long the page's own thread works for a frame, by the processor's clock: a machine
// that is busy with something else takes longer to show a frame, and that is not the table's doing.
import { type CDPSession, type Locator, expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, enc, fresh, get, post } from './plane';

/** As many as a table must bear; the tests of every day take fewer. */
const ROWS = Number(process.env.QUORATE_STUDIO_ROWS ?? 600);
/** Less than the 16.7 ms that a frame has, where that is what is asked; in the tests of every day the machine may be half as fast. */
const WHEEL_MS = process.env.QUORATE_STUDIO_ROWS ? 16 : 32;
/** From end to end in 90 frames there is nothing in a frame that was in the one before: two frames' worth. */
const WHOLE_MS = 33;

interface Cost {
  /** A frame, of which script, and style and layout. */
  work: number;
  script: number;
  layout: number;
  /** The frame in the middle, by the clock on the wall. */
  wall: number;
}

/** Scrolls a table by so much a frame, and gives how long each took, the shortest first. */
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

async function cost(wire: CDPSession, frames: number, work: () => Promise<number[]>): Promise<Cost> {
  const read = async () => new Map((await wire.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  const before = await read();
  const took = await work();
  const after = await read();
  const ms = (...names: string[]) => (names.reduce((sum, name) => sum + (after.get(name) ?? 0) - (before.get(name) ?? 0), 0) * 1000) / frames;
  return { work: ms('TaskDuration'), script: ms('ScriptDuration'), layout: ms('LayoutDuration', 'RecalcStyleDuration'), wall: took[Math.floor(took.length / 2)] ?? 0 };
}

const told = ({ work, script, layout, wall }: Cost) => `${work.toFixed(1)} ms of work a frame (script ${script.toFixed(1)}, layout ${layout.toFixed(1)}), a frame in ${wall.toFixed(1)} ms`;

test(`a table of ${ROWS} rows is drawn where it is looked at, and scrolls smoothly`, async ({ page }) => {
  test.setTimeout(240_000);
  const name = fresh('many');
  // So many agents do not come in a minute; for this once they may.
  await ask('PUT', `/limits/${enc('agents:register')}`, { rule: '100000/1m' });
  for (let from = 0; from < ROWS; from += 50) {
    await Promise.all(Array.from({ length: Math.min(50, ROWS - from) }, (_, at) => post('/agents', { agent: `${name}-${from + at}`, lease: '10m' })));
  }
  await ask('DELETE', `/limits/${enc('agents:register')}`);
  await signIn(page, `/agents?q=${name}`);
  const table = page.getByRole('region', { name: 'Agents' });
  const rows = async () => Number(await table.getByRole('table').getAttribute('aria-rowcount', { timeout: 1_000 }).catch(() => 0));
  // A view has 10,000 things, and what other tests have left may be among them.
  await expect.poll(rows, { timeout: 60_000 }).toBeGreaterThan(ROWS * 0.9);
  expect(await table.getByRole('row').count()).toBeLessThan(80);
  // What a page does not show is not said not to be there.
  const { numbers } = await get('/overview');
  if (numbers.agents_online + numbers.agents_away > 10_000) await expect(page.getByRole('heading', { level: 1 })).toContainText('More than');
  const wire = await page.context().newCDPSession(page);
  await wire.send('Performance.enable', { timeDomain: 'threadTicks' });
  // By a wheel, under the pointer, while agents are heard from and the view changes; then from end to end, where every frame has only new rows.
  await table.hover();
  let beating = true;
  const beats = (async () => { for (let at = 0; beating; at++) await post(`/agents/${name}-${at % ROWS}/heartbeat`, {}).catch(() => undefined); })();
  const wheel = await cost(wire, 150, () => scroll(table, 150, 120));
  beating = false;
  await beats;
  await page.mouse.move(5, 5);
  await page.waitForTimeout(1_500);
  const whole = await cost(wire, 90, () => scroll(table, 90));
  console.log(`rows ${ROWS}, by the wheel: ${told(wheel)}; from end to end: ${told(whole)}`);
  expect(wheel.work).toBeLessThan(WHEEL_MS);
  expect(whole.work).toBeLessThan(WHOLE_MS);
  await expect(table.getByRole('row').last()).toContainText(name);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: new RegExp(`Agent ${name}`) })).toBeVisible();
});
