export * from './sync/memoryFeed.ts';
