import { QrCode as QrCodeIcon, Share2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { DialogButton } from '../../ui/dialogs.tsx';
import { Skeleton } from '../../ui/loaded.tsx';
import { CopyButton } from '../../ui/small.tsx';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

interface LinkToCopyProps {
	/** Distinguishes this link from others. */
	readonly name: string;
	readonly url: string;
	readonly program: string;
}

/** A URL to copy, share or scan. */
export function LinkToCopy({ name, url, program }: LinkToCopyProps) {
	return (
		<div className="link-to-copy">
			<code tabIndex={0} role="textbox" aria-readonly="true" aria-label={name}>
				{url}
			</code>
			<div className="row">
				<CopyButton label={name} text={url} className="primary" />
				<Share name={name} url={url} program={program} />
				<DialogButton
					trigger={
						<Button aria-label={`QR code of ${name}`}>
							<QrCodeIcon size={14} /> QR code
						</Button>
					}
					title="QR code"
				>
					{() => (
						<Suspense fallback={<Skeleton lines={8} />}>
							<QrCode url={url} />
						</Suspense>
					)}
				</DialogButton>
			</div>
		</div>
	);
}

/** Without a share menu on the device, offers the most common ways to share. */
function Share({ name, url, program }: LinkToCopyProps) {
	const label = `Share ${name}`;
	if ('share' in navigator) {
		// Closing the share menu without sharing is not an error.
		const share = () => void navigator.share({ title: program, url }).catch(() => undefined);
		return (
			<Button aria-label={label} onPress={share}>
				Share
			</Button>
		);
	}
	return (
		<MenuTrigger>
			<Button aria-label={label}>
				<Share2 size={14} /> Share
			</Button>
			<Popover>
				<Menu>
					{waysOf(url, program).map(([way, href]) => (
						<MenuItem key={way} href={href} target="_blank" rel="noopener noreferrer">
							{way}
						</MenuItem>
					))}
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}

function waysOf(url: string, program: string): readonly (readonly [name: string, href: string])[] {
	const [address, subject] = [url, program].map((text) => encodeURIComponent(text));
	return [
		['Email', `mailto:?subject=${subject}&body=${address}`],
		['WhatsApp', `https://wa.me/?text=${address}`],
		['X', `https://x.com/intent/post?url=${address}`],
		['Facebook', `https://www.facebook.com/sharer/sharer.php?u=${address}`],
	];
}
