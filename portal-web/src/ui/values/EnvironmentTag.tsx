import { IconBuildingFactory2, IconFlask2 } from '@tabler/icons-react';
import classes from './EnvironmentTag.module.css';

const environments = {
  sandbox: { word: 'Sandbox', Icon: IconFlask2 },
  production: { word: 'Production', Icon: IconBuildingFactory2 },
} as const;

/** The fixed tag that tells sandbox and production apart everywhere. */
export function EnvironmentTag({ environment }: { environment: keyof typeof environments }) {
  const { word, Icon } = environments[environment];
  return (
    <span className={classes.tag} data-environment={environment}>
      <Icon size={14} aria-hidden />
      <span>{word}</span>
    </span>
  );
}
