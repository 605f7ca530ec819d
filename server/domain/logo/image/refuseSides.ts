import { logoLimits } from './logoLimits.ts';
import { LogoRefused } from './logoRefusals.ts';

/** Refuses an image whose width or height is not 256 to 2048 pixels; called before anything is decoded. */
export function refuseSides(width: number, height: number): void {
  const fits = [width, height].every((side) => side >= logoLimits.logoSideMin && side <= logoLimits.logoSideMax);
  if (!fits) throw new LogoRefused('sides', `${width} × ${height}`);
}
