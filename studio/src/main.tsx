// Where the app begins.
import '@fontsource-variable/source-sans-3/index.css';
import '@fontsource/ibm-plex-mono/400.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/shell.css';
import './theme/parts.css';
import './theme/graph.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/client';
import { router, settle } from './router';
import { applyTheme } from './shell/theme';

applyTheme();
settle();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
