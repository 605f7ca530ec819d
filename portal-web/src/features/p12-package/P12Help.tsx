import { useState } from 'react';
import { useFrame } from '../../graphql/useFrame.ts';
import { P12Commands } from './P12Commands.tsx';
import classes from './P12Help.module.css';

/** The examples for a package that its owner has downloaded, folded until they are wanted. */
export function P12Help({ keyName }: { keyName: string }) {
  const [{ data }] = useFrame();
  const [opened, setOpened] = useState(false);
  return (
    <details className={classes.help} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>How to use {keyName}.p12</summary>
      {opened && data && <P12Commands keyName={keyName} service={data.service} />}
    </details>
  );
}
