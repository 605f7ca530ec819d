import { cp } from 'node:fs/promises';

// tsc copies no other files; the contract is read at run time beside the compiled program.
await cp('rest-api/contract', 'dist/rest-api/contract', { recursive: true });
