// The door: in with a token, wrong with a wrong one, out again, and out at once when the server says so.
import { expect, test } from '@playwright/test';
import { TOKEN } from './plane';
import { signIn } from './person';

test('a person signs in and out', async ({ page }) => {
  await page.goto('/agents');
  await page.getByLabel('One-time code or token').fill('qi_nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('does not count');
  await page.getByLabel('One-time code or token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('here');
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('One-time code or token')).toBeVisible();
});

test('the keys lead everywhere', async ({ page }) => {
  await signIn(page);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page).toHaveURL(/\/agents$/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard help' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('overv');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/$/);
});
