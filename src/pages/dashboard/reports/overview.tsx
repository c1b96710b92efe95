import { Page } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';

export function Overview() {
	const { program } = useProgram();
	return <Page title={program.name}>…</Page>;
}
