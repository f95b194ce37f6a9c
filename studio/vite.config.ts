// How the app is built, and how it reaches a running plane while it is being written.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const plane = process.env.QUORATE_URL ?? 'http://127.0.0.1:7770';
const proxy = Object.fromEntries(
  ['/api', '/login', '/healthz', '/readyz', '/errors'].map((path) => [path, { target: plane, changeOrigin: false }]),
);

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // Nothing is inlined: the policy of the page allows files of its own server and nothing else.
  build: { assetsInlineLimit: 0, sourcemap: false, target: 'es2022', chunkSizeWarningLimit: 700 },
  server: { host: '127.0.0.1', port: 5173, proxy },
  preview: { host: '127.0.0.1', port: 5174, proxy },
});
