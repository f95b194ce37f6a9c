// Pictures of every page in both themes, for docs/studio. `npm run shots` after a plane is up.
import { test } from '@playwright/test';
import { seed } from './seed';

test('seed', async () => {
  await seed();
});
