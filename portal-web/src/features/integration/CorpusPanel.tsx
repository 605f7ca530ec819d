import { Progress, Text } from '@mantine/core';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './CorpusPanel.module.css';
import type { Client } from './integrationQuery.ts';
import { corpusWords } from './corpusWords.ts';
import { corpusStateWords } from './statusWords.ts';

type CorpusPanelProps = { corpus: NonNullable<Client['corpus']>; contents: NonNullable<Client['corpusContents']> };

const steps = ['queued', 'building', 'ready'] as const;

/** The state of the test data: queued, building or ready. */
export function CorpusPanel({ corpus, contents }: CorpusPanelProps) {
  const { tone, word } = corpusStateWords[corpus.state];
  const at = steps.findIndex((step) => step === corpus.state);
  return (
    <Panel
      title="Test data"
      lead="Generated for this integration alone. It contains no real users, orders or vehicles. Identifiers can change, so do not hard-code them."
      marks={
        <>
          <EnvironmentTag environment="sandbox" />
          <span role="status">
            <StatusBadge tone={tone}>{word}</StatusBadge>
          </span>
        </>
      }
    >
      {corpus.state !== 'ready' && corpus.state !== 'failed' && (
        <>
          <Progress value={at === 0 ? 15 : 60} animated aria-label="Progress of the test data" mb="sm" />
          <ol className={classes.steps}>
            {steps.map((step, index) => (
              <li key={step} aria-current={index === at ? 'step' : undefined}>
                {corpusStateWords[step].word}
              </li>
            ))}
          </ol>
        </>
      )}
      <Text>{describe(corpus, contents)}</Text>
      {corpus.readyAt && (
        <Text size="sm" c="dimmed" mt={4}>
          Generated <RelativeTime value={corpus.readyAt} />.
        </Text>
      )}
    </Panel>
  );
}

function describe({ state }: CorpusPanelProps['corpus'], contents: CorpusPanelProps['contents']): string {
  if (state === 'failed') return 'Generating the test data failed. Regenerate it on the sandbox page; incomplete test data is never shown.';
  const { orders, vehicles, statistics } = contents;
  if (!orders && !vehicles && !statistics)
    return 'Empty: your scopes do not give access to any data. You can change them on the profile page.';
  if (!orders && !vehicles) return 'One statistics generation: your scopes give access to aggregates only.';
  const words = `${corpusWords(contents)}${statistics ? ', and statistics' : ''}`;
  return state === 'ready'
    ? `${words}: everything that your requested scopes give access to.`
    : `${words} are being generated. They will appear all at once.`;
}
