import { cp } from 'node:fs/promises';

// The compiled program reads these files from its own folder, and tsc does not copy them.
await cp('rest-api/contract', 'dist/rest-api/contract', { recursive: true });
await cp('docs/receivers', 'dist/docs/receivers', { recursive: true });
await cp('server/portal-http/assets', 'dist/server/portal-http/assets', { recursive: true });
