package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// syncAll syncs the file system that a folder is on.
func syncAll(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

// attributes returns the names of a folder's extended attributes: access control lists are among them.
func attributes(path string) string {
	list := make([]byte, 64<<10)
	n, err := unix.Llistxattr(path, list)
	if err != nil {
		return "" // the file system has none
	}
	return string(list[:n])
}

// mounted reports whether a file system is mounted at a folder; known is false before Linux 5.8.
func mounted(folder string) (root, known bool) {
	var info unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, folder, unix.AT_SYMLINK_NOFOLLOW, 0, &info)
	return info.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0, err == nil && info.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT != 0
}
