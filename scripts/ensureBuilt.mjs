import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

// These commands run beside `npm start`, which has built the program; building again under it would be rude.
const programs = ['dist/demo/main.js', 'dist/server/admin.js'];
if (!programs.every((program) => existsSync(program))) spawnSync('npm', ['run', '--silent', 'build:server'], { stdio: 'inherit' });
