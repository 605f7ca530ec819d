import '@mantine/core/styles.css';
import './global.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { takeVerificationToken } from './features/passkey/verificationToken.ts';
import { SessionProvider } from './features/session/SessionProvider.tsx';
import { nameOpenedEntry } from './nameOpenedEntry.ts';
import { createRouter } from './routes.tsx';
import { cssVariables, theme } from './theme.ts';
import { preloadFrom } from './ui/layout/preloadPages.ts';
import { followNavigation } from './ui/lists/pendingNavigation.ts';

// This comes first: the token must neither stay in the address bar nor reach the router.
takeVerificationToken();
nameOpenedEntry();

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// The library that stops the page from scrolling behind a dialog reads its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const colorSchemeManager = localStorageColorSchemeManager({ key: 'svc.color-scheme' });

// Its loaders ask for what the first page reads, before any component is there.
const router = createRouter();
followNavigation(router);
preloadFrom(router);

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    colorSchemeManager={colorSchemeManager}
    getStyleNonce={() => nonce}
  >
    <SessionProvider>
      <RouterProvider router={router} />
    </SessionProvider>
  </MantineProvider>,
);
