// Every page: it answers, axe finds nothing serious, and it fits a phone. And the client speaks the API of this server.
import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { slim } from '../scripts/document.mjs';
import { signIn } from './person';
import { URL_ } from './plane';
import { seed } from './seed';

const PAGES = ['/', '/agents/worker-1', '/agents', '/locks', '/queues', '/dead', '/tasks/import-42', '/workflows/runs/book-1', '/messages?agent=worker-1', '/jobs', '/services', '/services/shop', '/services?new=yes', '/tasks?tab=search&status=processing', '/events', '/events?stream=lock', '/events?tab=logs', '/keys', '/settings', '/settings?tab=trail', '/settings?tab=sign-ins', '/settings?tab=limits', '/events?tab=groups', '/events?tab=losses', '/queues?id=high', '/jobs?id=reindex', '/workflows?id=publish'];

/** The columns that begin beyond the right edge of their table. */
const outOfSight = () =>
  [...document.querySelectorAll('.table-wrap')].flatMap((table) => {
    const edge = table.getBoundingClientRect().right;
    const heads = [...table.querySelectorAll('th, [role=columnheader]')];
    return heads.filter((head) => head.getBoundingClientRect().left >= edge - 8).map((head) => `${table.ariaLabel} ${head.textContent}`);
  });

test('every page answers and is accessible', async ({ page }) => {
  test.setTimeout(240_000);
  await seed();
  await signIn(page);
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
    await page.waitForTimeout(200);
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
    const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
    expect(serious.map((one) => `${path} ${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(' | ')}`)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of ['/', '/dead', '/locks', '/services', '/events']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
    const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(violations.flatMap((one) => one.nodes.map((node) => `${path} ${node.html.slice(0, 120)}`))).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    // Nor does a column begin out of sight.
    expect(await page.evaluate(outOfSight), path).toEqual([]);
  }
});

/** A line for every path. */
const lines = (document: string) => document.split('\n').slice(1, -2).map((line) => line.replace(/,$/, ''));

test('the client speaks the API of this server', async () => {
  const kept = readFileSync(new URL('../src/api/openapi.json', import.meta.url), 'utf8');
  const answer = await fetch(new URL('/api/openapi.json', URL_));
  // What is new may come without us; what we know must be as we know it.
  const now = new Set(lines(slim(await answer.json())));
  const stale = lines(kept).filter((line) => !now.has(line)).map((line) => line.split(':')[0]);
  expect(stale, 'src/api is stale: npm run gen -- URL').toEqual([]);
});
