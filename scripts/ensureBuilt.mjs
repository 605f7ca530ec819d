import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

// `npm run demo` runs beside `npm start`, which has built the program; building again under it would be rude.
if (!existsSync('dist/demo/main.js')) spawnSync('npm', ['run', 'build:server'], { stdio: 'inherit' });
