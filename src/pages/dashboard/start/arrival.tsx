import { CircleCheck, TriangleAlert } from 'lucide-react';
import { ago } from '../../format.ts';

interface ArrivalProps {
	/** Such as "click". */
	readonly noun: string;
	/** When the last real one arrived. */
	readonly at: string | null;
	/** Why the last one was refused. */
	readonly refusal: string | null | undefined;
}

/** Whether the event that the step waits for has arrived. */
export function Arrival({ noun, at, refusal }: ArrivalProps) {
	return (
		<div className={`arrival ${at !== null ? 'good' : refusal ? 'bad' : ''}`} role="status">
			{at !== null ? <CircleCheck size={16} /> : refusal ? <TriangleAlert size={16} /> : <span className="pulse" aria-hidden="true" />}
			<span className="wrap">
				{at !== null ? (
					<>
						<strong>It works.</strong> The last {noun} arrived {ago(at)}.
					</>
				) : (
					(refusal ?? `Waiting for the first ${noun}. It shows up here within seconds.`)
				)}
			</span>
		</div>
	);
}
