import { Text } from '@mantine/core';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { checkWords } from './checkWords.ts';
import type { ReceiverCheck } from './testQueries.ts';

/** What a receiver check has found, and what it has not tried. */
export function CheckVerdict({ check }: { check: Pick<ReceiverCheck, 'passed' | 'probes'> }) {
  const { tone, word, untried } = checkWords(check);
  return (
    <>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {untried !== null && <Text size="sm">{untried}</Text>}
    </>
  );
}
