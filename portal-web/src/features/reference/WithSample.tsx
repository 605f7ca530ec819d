import type { ReactNode } from 'react';
import { PageLoading } from '../../ui/states/PageLoading.tsx';
import docs from '../docs/docs.module.css';
import { SamplePanel } from './SamplePanel.tsx';
import type { Samples } from './referenceTypes.ts';
import { useReader } from './useReader.ts';

/** What is said of an operation, with its sample beside it, or above it in little space. What is below would move if the sample came later. */
export function WithSample({ operation, samples, children }: { operation: string; samples: Samples; children: ReactNode }) {
  const reader = useReader(operation);
  if (!reader.isKnown) return <PageLoading />;
  return (
    <div className={docs.reference}>
      <aside aria-label="Sample" className={docs.samples}>
        <SamplePanel reader={reader} samples={samples} />
      </aside>
      {children}
    </div>
  );
}
