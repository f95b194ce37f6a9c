// Pictures of every page in both themes, for docs/studio: `npm run shots` against a plane that is up.
import { mkdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { seed } from './seed';

const PLACES: Record<string, string> = {
  overview: '/', agents: '/agents', agent: '/agents/worker-1', locks: '/locks', lock: '/locks?id=name:release', queues: '/queues', dead: '/dead', tasks: '/tasks', task: '/tasks/import-42',
  workflows: '/workflows', run: '/workflows/runs/book-1', messages: '/messages?agent=worker-1', jobs: '/jobs', events: '/events?stream=lock', logs: '/events?tab=logs', keys: '/keys', settings: '/settings', trail: '/settings?tab=trail',
};
const OUT = process.env.QUORATE_STUDIO_SHOTS ?? '../docs/studio';

test('pictures', async ({ page }) => {
  test.setTimeout(240_000);
  mkdirSync(OUT, { recursive: true });
  await seed();
  await signIn(page);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [name, path] of Object.entries(PLACES)) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
      await page.waitForTimeout(900);
      await page.screenshot({ path: `${OUT}/${name}-${theme}.png` });
    }
  }
  await page.setViewportSize({ width: 390, height: 800 });
  for (const name of ['overview', 'agents', 'lock']) {
    await page.goto(PLACES[name] ?? '/');
    await page.waitForTimeout(900);
    await page.screenshot({ path: `${OUT}/${name}-phone.png` });
  }
});
