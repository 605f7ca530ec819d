import { expect, test } from '@jest/globals';
import { begin, mayStart, move, nextState, type TransitionTable } from '../../../server/domain/shared/stateMachine.ts';

type State = 'opened' | 'closed' | 'locked';
const door = {
  build: { from: [], to: 'closed', by: ['owner'], sets: ['builtAt'] },
  open: { from: ['closed'], to: 'opened', by: ['owner'], sets: ['openedBy'] },
  lock: { from: ['opened', 'closed'], to: 'locked', by: ['owner'], sets: [] },
  unlock: { from: ['locked'], to: ['opened', 'closed'], by: ['owner'], sets: [] },
} as const satisfies TransitionTable<State>;

const next = (state: State, action: keyof typeof door, back?: State) => nextState<State, typeof door>(door, state, action, back);

test('a user’s action leads from each of its states to the one that the table names, whatever came before', () => {
  expect(next('closed', 'open')).toBe('opened');
  expect(next('opened', 'lock')).toBe('locked');
  expect(next('closed', 'lock', 'opened')).toBe('locked');
});

test('a user who takes an action back is where the action began', () => {
  expect(next('locked', 'unlock', 'opened')).toBe('opened');
  expect(next('locked', 'unlock', 'closed')).toBe('closed');
  for (const back of ['locked', undefined] as const) {
    expect(() => next('locked', 'unlock', back)).toThrow(`unlock does not lead back to ${back}.`);
  }
});

test.each([
  ['opened', 'open', 'This is possible only while it is closed; now it is opened. Reload the page.'],
  ['locked', 'lock', 'This is possible only while it is opened or closed; now it is locked. Reload the page.'],
] as const)('a user who finds it %s and tries to %s it reads from where that is possible', (state, action, message) => {
  expect(() => next(state, action)).toThrow(expect.objectContaining({ code: 'conflict', message }));
});

test('a user’s row is moved with all that goes with the move, and a refused move leaves it as it was', () => {
  const row: { status: State; openedBy: string | null; builtAt: number } = { ...begin(door, 'build', { builtAt: 1 }), openedBy: null };
  expect(row).toEqual({ status: 'closed', openedBy: null, builtAt: 1 });
  expect([mayStart(door, 'open', row.status), mayStart(door, 'unlock', row.status)]).toEqual([true, false]);
  move(door, row, 'open', { openedBy: 'Anna' });
  expect(row).toEqual({ status: 'opened', openedBy: 'Anna', builtAt: 1 });
  expect(() => move(door, row, 'open', { openedBy: 'Ben' })).toThrow(expect.objectContaining({ code: 'conflict' }));
  expect(row.openedBy).toBe('Anna');
});
