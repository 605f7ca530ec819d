export * from './sync/sqliteFeed.ts';
