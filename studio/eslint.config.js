// The rules for sources: types, hooks, no fetching by hand, no raw HTML.
import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';

const byHand = 'ask through src/api, so that time, sign-in and refusals are handled in one place';

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/api/schema.ts', 'test-results', 'playwright-report'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'max-lines': ['error', { max: 220, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'foreign text stays text' },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/api/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: byHand }, { name: 'EventSource', message: byHand }],
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: 'time is the server’s: parts/clock' }],
    },
  },
  { files: ['scripts/**'], languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly', setTimeout: 'readonly', fetch: 'readonly', document: 'readonly' } } },
);
