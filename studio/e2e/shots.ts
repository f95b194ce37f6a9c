// Pictures of every page in both themes, for docs/studio: `npm run shots` against a plane that is up with its demo.
import { mkdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { enc, get } from './plane';

const OUT = process.env.QUORATE_STUDIO_SHOTS ?? '../docs/studio';
const PHONE = ['overview', 'agents', 'lock', 'dead', 'services', 'service'];

/** The pages, each with something of the demo open where there is a drawer. */
async function places(): Promise<Record<string, string>> {
  const { tasks } = await get('/tasks?limit=200');
  const parent = tasks.find((task: { children: number; ended: boolean }) => task.children > 2) ?? tasks[0];
  // The last one has waited longest, and says for what.
  const run = (await get('/workflows/runs?state=running&limit=50')).at(-1);
  const [letter] = await get('/dead?limit=1&state=open');
  const waits = await get('/locks/waits');
  const inbox = 'demo-planner';
  return {
    overview: '/', agents: '/agents', agent: '/agents/demo-coder-1', locks: '/locks', lock: `/locks?id=${enc(waits[0]?.lock ?? 'name:demo-deploy-staging')}`,
    queues: '/queues', queue: '/queues?id=job:demo-builds', dead: '/dead', letter: letter ? `/dead/${letter.id}` : '/dead', tasks: '/tasks', task: `/tasks/${parent?.task_id ?? 'none'}`, search: '/tasks?tab=search&status=completed',
    workflows: '/workflows', run: run ? `/workflows/runs/${run.task}` : '/workflows', workflow: '/workflows?id=demo-release', family: '/keys?id=ade.resource_lock', messages: `/messages?agent=${inbox}`, jobs: '/jobs', job: '/jobs/demo-minutely',
    services: '/services', service: '/services/demo-payments', register: '/services?new=yes', events: '/events', logs: '/events?tab=logs', groups: '/events?tab=groups', losses: '/events?tab=losses',
    keys: '/keys', settings: '/settings', 'sign-ins': '/settings?tab=sign-ins', limits: '/settings?tab=limits', trail: '/settings?tab=trail',
  };
}

test('pictures', async ({ page }) => {
  test.setTimeout(400_000);
  mkdirSync(OUT, { recursive: true });
  const all = await places();
  await signIn(page);
  const picture = async (path: string, file: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking', { timeout: 15_000 });
    // Charts and graphs come after the rest.
    await expect(page.locator('.chart .skeleton, .graph .skeleton')).toHaveCount(0, { timeout: 15_000 });
    await page.waitForTimeout(1_300);
    await page.screenshot({ path: `${OUT}/${file}.png` });
  };
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [name, path] of Object.entries(all)) await picture(path, `${name}-${theme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 800 });
  for (const name of PHONE) await picture(all[name] ?? '/', `${name}-phone`);
});
