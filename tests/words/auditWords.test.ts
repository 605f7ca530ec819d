import { expect, test } from '@jest/globals';
import type { AuditEntry } from '../../portal-web/src/features/audit/auditQuery.ts';
import { actionWords, actorWords, subjectWords } from '../../portal-web/src/features/audit/auditWords.ts';
import { momentWords } from '../../portal-web/src/ui/time/momentWords.ts';
import { auditActions } from '../../server/domain/audit/auditActions.ts';
import { detailsOf } from '../../portal-web/src/features/audit/detailWords.ts';

test('a reader of the trail finds what an entry says in words, not in the names of fields', () => {
  const details = {
    expiresAt: '2026-12-31T00:00:00.000Z',
    formerValue: 600,
    missedDeletions: 2,
    statisticsOptedIn: false,
    takenOver: true,
    reason: 'Moved to 2026-12-31T00:00:00.000Z',
  };
  expect(detailsOf({ details }, momentWords('utc').moment)).toEqual([
    ['Expires', '2026-12-31 00:00:00 UTC'],
    ['Previous value', '600'],
    ['Missed deletions', '2'],
    ['Takes part in statistics', 'No'],
    ['Reassigned', 'Yes'],
    ['Reason', 'Moved to 2026-12-31T00:00:00.000Z'],
  ]);
});

test('an administrator reads which version of the terms it was, and no name of a part of the service', () => {
  const entry = (subjectType: string, subjectId: string, subjectName: string | null = null) =>
    subjectWords({ subjectType, subjectId, subjectName } as AuditEntry);
  expect(entry('terms', '2')).toBe('(version 2)');
  expect(entry('service', 'audit')).toBeNull();
  expect(entry('integration', 'int_1', 'Trip Planner')).toBe('Trip Planner');
  expect(entry('passkey', 'pk_1')).toBe('pk_1');
});

test('an administrator reads who acted in words: of the service itself, not the name of its job', () => {
  const by = (actorType: string, actorId: string | null, actorName: string | null = null) => actorWords({ actorType, actorId, actorName });
  expect(by('system', 'buildSandboxCorpus')).toBe('The service');
  expect(by('system', 'terminal')).toBe('A command on the server');
  expect(by('operator', 'opr_1', 'mia@example.com')).toBe('mia@example.com');
  expect(by('client', 'cli_1')).toBe('cli_1');
  expect(by('anonymous', null)).toBe('Not signed in');
});

test('every action that the service records has words of its own, or a name that reads as words', () => {
  const clipped = auditActions.filter((action) => !/^[A-Z][a-z]+( [a-z-]+){1,7}(: [a-z ]+)?$/.test(actionWords(action)));
  expect(clipped).toEqual([]);
  expect(actionWords('sandbox_share.revoked')).toBe('Access revoked in the sandbox');
});
