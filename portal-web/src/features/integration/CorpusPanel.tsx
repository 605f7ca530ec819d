import { Progress, Text } from '@mantine/core';
import { EnvironmentTag } from '../../ui/EnvironmentTag.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './CorpusPanel.module.css';
import type { Client } from './integrationQuery.ts';
import { corpusWords } from './corpusWords.ts';
import { corpusStateWords } from './statusWords.ts';

type CorpusPanelProps = { corpus: NonNullable<Client['corpus']>; contents: NonNullable<Client['corpusContents']> };

const steps = ['queued', 'building', 'ready'] as const;

/** How far the synthetic data is: queued, building, ready. */
export function CorpusPanel({ corpus, contents }: CorpusPanelProps) {
  const { tone, word } = corpusStateWords[corpus.state];
  const at = steps.findIndex((step) => step === corpus.state);
  return (
    <Panel
      title="Synthetic data"
      lead="Made for this integration alone. No real user, order or vehicle is in it, and its identifiers may change: do not write them into your code."
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
          <Progress value={at === 0 ? 15 : 60} animated aria-label="Progress of the synthetic data" mb="sm" />
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
          Became ready <RelativeTime value={corpus.readyAt} />.
        </Text>
      )}
    </Panel>
  );
}

function describe({ state }: CorpusPanelProps['corpus'], contents: CorpusPanelProps['contents']): string {
  if (state === 'failed') return 'Making it failed. Start it once more on the sandbox page; nothing half-made is ever shown.';
  const { orders, vehicles, statistics } = contents;
  if (!orders && !vehicles && !statistics) return 'Empty: your scopes show no data. Ask for others on the profile page.';
  if (!orders && !vehicles) return 'One statistics generation: your scopes show aggregates only.';
  const words = `${corpusWords(contents)}${statistics ? ', and statistics' : ''}`;
  return state === 'ready' ? `${words}: what your requested scopes show.` : `${words} are on their way. They appear all at once.`;
}
