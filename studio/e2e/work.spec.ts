// Work that fails, work that is looked for, and an agent that must stop.
import { expect, test } from '@playwright/test';
import { signIn } from './person';
import { fresh, get, pause, post } from './plane';

test('a failure cluster is replayed, one first, and drains', async ({ page }) => {
  const [agent, queue] = [fresh('worker'), `job:${fresh('drain')}`];
  // Numbers do not make another failure, so the name has none.
  const failure = `cannot reach the registry of ${fresh('').replace(/[^a-z]/g, 'q')}`;
  await post('/agents', { agent });
  for (let at = 0; at < 5; at++) await post(`/queues/${queue}/push`, { payload: `{"at":${at}}`, max_attempts: 1 });
  for (let left = 5; left > 0; ) {
    const { items = [] } = await post(`/queues/${queue}/claim`, { agent, max: 10, lease: '1m' });
    for (const item of items) await post('/queues/nack', { token: item.token, agent, error: failure });
    left -= items.length;
  }
  await signIn(page, '/dead');
  const cluster = page.getByTestId('cluster').filter({ hasText: failure });
  await expect(cluster).toContainText('5');
  await cluster.getByRole('button', { name: 'Try one first' }).click();
  await cluster.getByRole('dialog').getByRole('button', { name: 'Try one first' }).click();
  let done = 0;
  for (let turn = 0; turn < 60 && done < 5; turn++) {
    const { items = [] } = await post(`/queues/${queue}/claim`, { agent, max: 10, lease: '1m' });
    for (const item of items) await post('/queues/ack', { token: item.token, agent });
    done += items.length;
    await pause(100);
  }
  expect(done).toBe(5);
  await expect(cluster).toBeHidden();
  await expect(page.getByText('5 replayed')).toBeVisible();
});

test('a letter is changed and replayed, and the change is shown', async ({ page }) => {
  const [agent, queue] = [fresh('worker'), `job:${fresh('edit')}`];
  await post('/agents', { agent });
  await post(`/queues/${queue}/push`, { payload: '{"ref":"mian"}', max_attempts: 1 });
  const { items } = await post(`/queues/${queue}/claim`, { agent, max: 1, lease: '1m' });
  const { letter } = await post('/queues/nack', { token: items[0].token, agent, error: fresh('no such ref') });
  await signIn(page, `/dead/${letter}`);
  const drawer = page.getByRole('complementary', { name: `Dead letter ${letter}` });
  await drawer.getByRole('textbox', { name: 'Payload' }).fill('{\n  "ref": "main"\n}');
  await expect(drawer.getByLabel('What changes')).toContainText('+   "ref": "main"');
  await drawer.getByRole('button', { name: 'Replay as changed' }).click();
  await drawer.getByRole('dialog').getByRole('button', { name: 'Replay as changed' }).click();
  await expect(page.getByText('1 replayed')).toBeVisible();
  const again = await post(`/queues/${queue}/claim`, { agent, max: 1, lease: '1m' });
  expect(JSON.parse(again.items[0].payload)).toEqual({ ref: 'main' });
  await post('/queues/ack', { token: again.items[0].token, agent });
});

test('a task is found by its id, and its graph is read', async ({ page }) => {
  const task = fresh('import');
  await post(`/tasks/${task}/status`, { status: 'queued', service: 'pipeline' });
  await post(`/tasks/${task}/status`, { status: 'processing', service: 'pipeline', message: 'reading 12 files' });
  await post(`/tasks/${task}-a/status`, { status: 'failed', meta: { parent_task_id: task } });
  await signIn(page);
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(task);
  await page.getByRole('option', { name: new RegExp(`${task}.*a task`) }).click();
  const drawer = page.getByRole('complementary', { name: `Task ${task}` });
  await expect(drawer.getByLabel('Timeline')).toContainText('reading 12 files');
  const graph = drawer.getByRole('figure', { name: `What caused what in ${task}` });
  await expect(graph.getByRole('button', { name: new RegExp(`${task}-a`) })).toBeVisible();
  await expect(graph.getByRole('listitem').first()).toContainText(task);
  await drawer.getByLabel('Timeline').getByRole('button', { name: 'queued' }).click();
  await expect(graph.locator('.node[data-at="true"]')).toContainText('queued');
});

test('an agent is revoked, and refused from then on', async ({ page }) => {
  const agent = fresh('rogue');
  const { epoch } = await post('/agents', { agent });
  await signIn(page, `/agents/${agent}`);
  const drawer = page.getByRole('complementary', { name: `Agent ${agent}` });
  await drawer.getByRole('button', { name: 'Revoke' }).click();
  await drawer.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(drawer.getByText('revoked').first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: `quorate agents revoke ${agent}` })).toBeVisible();
  const beat = await post(`/agents/${agent}/heartbeat`, { epoch });
  expect(beat.code).toBe('revoked');
  expect((await get(`/agents/${agent}`)).revoked).toBe(true);
});
