import { Text } from '@mantine/core';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './LinkCodePanel.module.css';
import { contentWords, linkCodeWords } from './linkCodeWords.ts';
import type { LinkCode } from '../sandbox/sandboxQueries.ts';

/** Codes by what became of them; their digits were told once. */
export function LinkCodeList({ codes }: { codes: readonly LinkCode[] }) {
  return (
    <ul className={classes.codes}>
      {codes.map((code) => (
        <li key={code.id} className={classes.code}>
          <StatusBadge tone={linkCodeWords[code.state].tone}>{linkCodeWords[code.state].word}</StatusBadge>
          <Text size="sm">
            {contentWords(code)}, generated <RelativeTime value={code.createdAt} />
            {code.failedAttempts > 0 && `, ${code.failedAttempts} of 5 failed attempts`}
          </Text>
          {code.connectionId && <CopyableCode value={code.connectionId} label="the connection ID" />}
        </li>
      ))}
    </ul>
  );
}
