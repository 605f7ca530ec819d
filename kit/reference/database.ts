// For PostgreSQL: `./postgres.ts` here, `npm install pg`, and its address in DATABASE_URL.
export { open } from './sqlite.ts';
