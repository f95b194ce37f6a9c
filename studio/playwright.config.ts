// Browser tests against a real plane: QUORATE_STUDIO_URL and QUORATE_STUDIO_TOKEN (of an admin) say which.
import { defineConfig } from '@playwright/test';

const chromium = process.env.QUORATE_CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  // A machine that is busy for a moment is no defect; what passes only the second time is told as flaky.
  retries: process.env.CI ? 1 : 0,
  workers: 1,
  timeout: 30_000,
  expect: { timeout: 8_000 },
  reporter: [['line']],
  use: {
    baseURL: process.env.QUORATE_STUDIO_URL ?? 'http://127.0.0.1:5174',
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: chromium, args: ['--no-sandbox'] },
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
  },
  projects: [
    { name: 'e2e', testMatch: '*.spec.ts' },
    { name: 'shots', testMatch: 'shots.ts' },
  ],
});
