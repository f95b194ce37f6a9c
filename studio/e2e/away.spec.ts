// The store does not answer: no page lets what was pass for what is, and all go on by themselves.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { fresh, post, withoutStore } from './plane';

test('a store that does not answer is said on every page, and what is shown gets older', async ({ page }) => {
  test.setTimeout(120_000);
  const agent = fresh('before');
  await post('/agents', { agent });
  await signIn(page, `/agents?q=${agent}`);
  const state = page.getByTestId('connection');
  const age = async () => Number(/as of (\d+)\ss\sago/.exec((await page.locator('.eyebrow').textContent()) ?? '')?.[1] ?? 0);
  await expect(page.getByRole('link', { name: agent })).toBeVisible();
  await expect(state).toHaveText('Live');
  await withoutStore(async () => {
    await expect(state).toHaveText('Store away', { timeout: 20_000 });
    await expect(page.getByRole('alert')).toContainText('The store does not answer');
    // The server goes on answering that it cannot say: that makes nothing any younger.
    const then = await age();
    await page.waitForTimeout(7_000);
    expect(await age()).toBeGreaterThanOrEqual(then + 6);
    await expect(page.getByRole('link', { name: agent })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Nobody can say right now', { timeout: 20_000 });
    await expect(state).not.toHaveText('Live');
  });
  await expect(state).toHaveText('Live', { timeout: 20_000 });
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/all right|need/, { timeout: 20_000 });
});

test('a page that is opened while the store does not answer says what it waits for', async ({ page }) => {
  test.setTimeout(90_000);
  await signIn(page);
  await withoutStore(async () => {
    await page.goto('/locks');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Waiting for Quorate');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('does not answer', { timeout: 20_000 });
  });
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/held|wait/, { timeout: 20_000 });
});
