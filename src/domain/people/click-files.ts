/** Why an archive is refused if it would lack retired clicks. */
export const NO_BUCKET =
	'Old clicks of this program are in files, but the service has no bucket to read them from. Its operator has to bind the bucket as CLICK_FILES';
