// Everything has an address that can be sent to somebody, and is found by its id.
import { type Page, expect, test } from '@playwright/test';
import { signIn } from './person';
import { ask, enc, fresh, get, post } from './plane';

/** Looks for something from a page that has been opened: a key that comes before it is nobody's. */
async function look(page: Page, id: string, kind: RegExp) {
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Looking');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(id);
  await page.getByRole('option', { name: kind }).first().click();
}

async function find(page: Page, id: string, kind: RegExp, drawer: RegExp) {
  await look(page, id, kind);
  await expect(page.getByRole('complementary', { name: drawer }).or(page.getByRole('region', { name: drawer }))).toBeVisible();
  await page.goto('/');
}

test('anything is found by its id', async ({ page }) => {
  test.setTimeout(60_000);
  const agent = fresh('seeker');
  const [lock, queue, task, job] = [`name:${agent}`, `job:${agent}-q`, `${agent}-t`, `${agent}-j`];
  await post('/agents', { agent });
  await post(`/locks/${enc(lock)}/acquire`, { agent, ttl: '5m' });
  await post(`/queues/${enc(queue)}/push`, { payload: '{}', max_attempts: 1 });
  const { items } = await post(`/queues/${enc(queue)}/claim`, { agent, max: 1, lease: '1m' });
  const { letter } = await post('/queues/nack', { token: items[0].token, agent, error: 'no' });
  await post(`/tasks/${task}/status`, { status: 'queued' });
  await post('/jobs', { id: job, queue, payload: '{}', cron: '0 3 * * *' });
  await signIn(page);
  await find(page, agent, /an agent/, new RegExp(`Agent ${agent}$`));
  await find(page, lock, /a lock/, new RegExp(`Lock ${lock}`));
  await find(page, queue, /a queue/, new RegExp(`Queue ${queue}`));
  await find(page, task, /a task/, new RegExp(`Task ${task}`));
  await find(page, letter, /a dead letter/, new RegExp(`Dead letter ${letter}`));
  await find(page, job, /a job/, new RegExp(`Job ${job}`));
  // A failure is found by its fingerprint, a change by the id of its request, logs by their service.
  const { fingerprint } = await get(`/dead/${letter}`);
  await find(page, fingerprint, /a failure/, /Dead letters/);
  const name = fresh('kept');
  await post('/tokens', { name, role: 'viewer' });
  const { records } = await get(`/audit?target=${name}`);
  await find(page, records[0].request, /a request/, /Record/);
  await post(`/logs/${agent}-log`, { message: 'hello', level: 'info' });
  await look(page, `${agent}-log`, /a service that logs/);
  await expect(page.getByRole('list', { name: 'Log records' })).toContainText('hello');
});

test('an event, and a record of the trail, can be sent to somebody', async ({ page }) => {
  const event = fresh('deploy');
  await post('/events/all', { event, payload: { message: `half of ${event} answers` }, source: 'e2e' });
  await signIn(page, '/events');
  await page.getByRole('list', { name: 'Events' }).getByRole('button', { name: event }).click();
  await expect(page).toHaveURL(/event=all/);
  await page.reload();
  await expect(page.getByRole('complementary', { name: 'Event' })).toContainText(`half of ${event} answers`);
  const name = fresh('kept');
  await post('/tokens', { name, role: 'viewer' });
  const { records } = await get(`/audit?target=${name}`);
  await page.goto(`/settings?tab=trail&record=${records[0].id}`);
  await expect(page.getByRole('complementary', { name: 'Record' })).toContainText(name);
});

test('what is filtered is in the address, and comes back with it', async ({ page }) => {
  const agent = fresh('sought');
  await post('/agents', { agent, role: 'tester' });
  await signIn(page, '/agents');
  await page.getByLabel('Id, role or task').fill(agent);
  await page.getByLabel('State').selectOption('live');
  await expect(page).toHaveURL(new RegExp(`q=${agent}`));
  await page.reload();
  await expect(page.getByLabel('Id, role or task')).toHaveValue(agent);
  await expect(page.getByRole('region', { name: 'Agents' }).getByRole('row')).toHaveCount(2);
});

test('every inbox is counted, however many there are', async ({ page }) => {
  const name = fresh('zz');
  await Promise.all(Array.from({ length: 80 }, (_, at) => post('/agents', { agent: `${name}-${String(at).padStart(2, '0')}` })));
  await post('/messages', { from: `${name}-00`, to: `${name}-79`, text: 'hello' });
  await signIn(page, `/messages?q=${name}`);
  const rows = page.getByRole('region', { name: 'Inboxes' }).getByRole('row');
  await expect(page.getByRole('heading', { name: '80 inboxes' })).toBeVisible();
  await expect(rows.nth(1)).toContainText(`${name}-79`);
  await expect(rows.nth(1)).toContainText('1');
  await rows.nth(1).click();
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('hello');
});

test('a list stays filtered while its things are opened, and a tab can be left', async ({ page }) => {
  const agent = fresh('kept');
  await post('/agents', { agent });
  await signIn(page, `/agents?q=${agent}&state=live`);
  await page.getByRole('link', { name: agent }).click();
  await expect(page.getByRole('complementary', { name: `Agent ${agent}` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`q=${agent}&state=live&id=${agent}`));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Agents' }).getByRole('row')).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole('complementary', { name: `Agent ${agent}` })).toBeVisible();
  const service = fresh('api');
  await post(`/logs/${service}`, { message: 'hello', level: 'info' });
  await page.goto(`/events?service=${service}`);
  await expect(page.getByRole('tab', { name: 'Logs, live' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Groups and lag' }).click();
  await expect(page.getByRole('heading', { name: /groups?$/ })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Losses' })).toBeFocused();
  await page.getByRole('tab', { name: 'Events, live' }).click();
  await expect(page.getByRole('group', { name: 'Streams' })).toBeVisible();
});

test('what is selected in a task is in the address, and the focus comes back to where it was', async ({ page }) => {
  const task = fresh('chosen');
  await post(`/tasks/${task}/status`, { status: 'queued', message: 'accepted' });
  await post(`/tasks/${task}/status`, { status: 'processing', message: 'reading' });
  await signIn(page, `/tasks?q=${task}`);
  const link = page.getByRole('region', { name: 'Tasks' }).getByRole('link', { name: task });
  await link.focus();
  await page.keyboard.press('Enter');
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByRole('button', { name: 'queued' }).click();
  await expect(page).toHaveURL(/node=status/);
  await page.reload();
  await expect(timeline.getByRole('button', { name: 'queued' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.node[data-at=true]')).toContainText('queued');
  await page.goto(`/tasks?q=${task}`);
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(timeline).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(timeline).toBeHidden();
  await expect(link).toBeFocused();
});

test('the environment is chosen on a phone too', async ({ page }) => {
  const [environment, id] = [fresh('field'), fresh('svc')];
  await post('/services', { service_id: id, name: id, base_url: `http://127.0.0.1:9/${id}`, environment, tags: [] });
  await signIn(page, '/services');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('dialog', { name: 'You' }).getByLabel('Environment of services').selectOption(environment);
  await page.getByRole('dialog', { name: 'You' }).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`in ${environment}`);
  await expect(page.getByRole('region', { name: 'Services' }).getByRole('row')).toHaveCount(2);
  await page.evaluate(() => localStorage.clear());
  await ask('DELETE', `/services/${id}`);
});
