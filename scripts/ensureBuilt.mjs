import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

// These commands usually run beside `npm start`, which has built the program. Building it again would replace files that are in use.
const programs = ['dist/demo/main.js', 'dist/demo/smoke/main.js', 'dist/server/admin.js'];
if (!programs.every((program) => existsSync(program))) spawnSync('npm', ['run', '--silent', 'build:server'], { stdio: 'inherit' });
