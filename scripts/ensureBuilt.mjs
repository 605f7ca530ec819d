import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

// It usually runs beside `npm start`, which has built the program. Building it again would replace files that are in use.
if (!existsSync('dist/demo/main.js')) spawnSync('npm', ['run', '--silent', 'build:server'], { stdio: 'inherit' });
