package sensors

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/shirou/gopsutil/v3/common"
)

// libraryContext points gopsutil at the sysroot.
func libraryContext(sysroot string) context.Context {
	ctx := context.Background()
	if sysroot == "" {
		return ctx
	}
	return context.WithValue(ctx, common.EnvKey, common.EnvMap{
		common.HostProcEnvKey: filepath.Join(sysroot, "proc"),
		common.HostSysEnvKey:  filepath.Join(sysroot, "sys"),
		common.HostEtcEnvKey:  filepath.Join(sysroot, "etc"),
	})
}

// ask calls a library that may panic on odd files.
func ask[T any](call func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the library failed: %v", p)
		}
	}()
	return call()
}
