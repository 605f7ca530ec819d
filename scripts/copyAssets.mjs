import { cp } from 'node:fs/promises';

// tsc copies no other files; the contract and the credit badge are read at run time beside the compiled program.
await cp('rest-api/contract', 'dist/rest-api/contract', { recursive: true });
await cp('server/portal-http/assets', 'dist/server/portal-http/assets', { recursive: true });
