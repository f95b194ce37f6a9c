// A service is registered, falls ill, and is deleted; what it reports is seen as it comes.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { fresh, get, post } from './plane';
import { service } from './service';

test('a service is registered, and is seen to degrade and recover', async ({ page }) => {
  const own = await service();
  const id = fresh('payments');
  own.tell('order-1', 'processing');
  await signIn(page, '/services');
  await page.getByRole('button', { name: 'Register a service' }).click();
  const form = page.getByRole('complementary', { name: 'Register a service' });
  await form.getByLabel('Id, which stays').fill(id);
  await form.getByLabel('Where it answers').fill(own.url);
  await form.getByLabel('Environment').fill('e2e');
  await form.getByLabel('Labels').fill('core, money');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('status').filter({ hasText: `quorate services register --environment e2e --tags core,money ${id}` })).toBeVisible();
  const drawer = page.getByRole('complementary', { name: `Service ${id}` });
  // Its feed is read by the plane itself.
  await expect(drawer.getByLabel('Activity')).toContainText('order-1', { timeout: 15_000 });
  await expect(drawer.getByText('healthy').first()).toBeVisible({ timeout: 15_000 });

  own.tell('order-1', 'completed');
  await expect(drawer.getByLabel('Activity').getByRole('listitem').first()).toContainText('status.completed', { timeout: 15_000 });
  own.set('limping');
  await expect(drawer.getByLabel('Reasons')).toContainText('a worker does not run', { timeout: 15_000 });
  const row = page.getByRole('row', { name: new RegExp(id) });
  await expect(row).toContainText('degraded');
  own.set('away');
  await expect(row).toContainText('unreachable', { timeout: 15_000 });
  await expect(row).toContainText('HTTP 503');
  own.set('well');
  await drawer.getByRole('button', { name: 'Check now' }).click();
  await expect(row).toContainText('healthy');
  own.end();
});

test('a service is changed, disabled, and deleted by typing its name', async ({ page }) => {
  const own = await service();
  const id = fresh('mailer');
  await post('/services', { service_id: id, base_url: own.url, environment: 'e2e', tags: [] });
  await signIn(page, `/services/${id}`);
  const drawer = page.getByRole('complementary', { name: `Service ${id}` });
  await drawer.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByLabel('Name for people').fill('Letters');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('Letters').first()).toBeVisible();
  expect((await get(`/services/${id}`)).name).toBe('Letters');
  await drawer.getByRole('button', { name: 'Disable' }).click();
  await expect(drawer.getByLabel('Reasons')).toContainText('it is disabled');
  await drawer.getByRole('button', { name: 'Delete' }).click();
  const sure = drawer.getByRole('dialog').getByRole('button', { name: 'Delete' });
  await expect(sure).toBeDisabled();
  await drawer.getByRole('dialog').getByRole('textbox').fill(id);
  await sure.click();
  await expect(page.getByRole('row', { name: new RegExp(id) })).toBeHidden();
  await expect(drawer).toBeHidden();
  own.end();
});

test('an address that may not be called is refused, and the refusal says what to do', async ({ page }) => {
  await signIn(page, '/services?new=yes');
  const form = page.getByRole('complementary', { name: 'Register a service' });
  await form.getByLabel('Id, which stays').fill(fresh('metadata'));
  await form.getByLabel('Where it answers').fill('http://169.254.169.254');
  await form.getByLabel('Environment').fill('e2e');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'url_denied' })).toContainText('What to do');
});
