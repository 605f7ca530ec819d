export * from './sync/postgresFeed.ts';
