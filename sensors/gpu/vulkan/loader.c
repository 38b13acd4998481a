//go:build cgo && (linux || windows)

/*
 * Asks the Vulkan loader, opened at run time, for the memory heaps of each card. The few structures needed are declared
 * here after the Vulkan specification, so that building needs no SDK and linking no library.
 */

#include "loader.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define CALL __stdcall
#else
#include <dlfcn.h>
#define CALL
#endif

typedef int32_t result_t;
typedef void *handle_t;
typedef void(CALL *proc_t)(void);

enum {
	SUCCESS = 0,
	INCOMPLETE = 5,
	TYPE_APPLICATION_INFO = 0,
	TYPE_INSTANCE_CREATE_INFO = 1,
	TYPE_PROPERTIES_2 = 1000059001,
	TYPE_MEMORY_PROPERTIES_2 = 1000059006,
	TYPE_DRIVER_PROPERTIES = 1000196000,
	TYPE_PCI_BUS_INFO = 1000212000,
	TYPE_MEMORY_BUDGET = 1000237000,
	HEAP_DEVICE_LOCAL = 1,
	MAX_HEAPS = 16,
	MAX_TYPES = 32
};

typedef struct {
	int32_t type;
	const void *next;
	const char *application;
	uint32_t application_version;
	const char *engine;
	uint32_t engine_version;
	uint32_t api_version;
} application_info;

typedef struct {
	int32_t type;
	const void *next;
	uint32_t flags;
	const application_info *application;
	uint32_t layer_count;
	const char *const *layers;
	uint32_t extension_count;
	const char *const *extensions;
} instance_create_info;

typedef struct {
	char name[256];
	uint32_t version;
} extension_properties;

typedef struct {
	uint32_t api_version, driver_version, vendor_id, device_id;
	int32_t device_type;
	char name[256];
	uint8_t cache_id[16];
	/* Limits and sparse properties follow, 8-byte aligned: 528 bytes in the specification's layout, not read here. */
	uint64_t rest[128];
} device_properties;

typedef struct {
	int32_t type;
	void *next;
	device_properties properties;
} device_properties_2;

typedef struct {
	int32_t type;
	void *next;
	int32_t id;
	char name[256];
	char info[256];
	uint8_t conformance[4];
} driver_properties;

typedef struct {
	int32_t type;
	void *next;
	uint32_t domain, bus, device, function;
} pci_bus_info;

typedef struct {
	uint64_t size;
	uint32_t flags;
} heap_t;

typedef struct {
	uint32_t type_count;
	struct {
		uint32_t flags, heap;
	} types[MAX_TYPES];
	uint32_t heap_count;
	heap_t heaps[MAX_HEAPS];
} memory_properties;

typedef struct {
	int32_t type;
	void *next;
	memory_properties properties;
} memory_properties_2;

typedef struct {
	int32_t type;
	void *next;
	uint64_t budget[MAX_HEAPS];
	uint64_t usage[MAX_HEAPS];
} memory_budget;

typedef proc_t(CALL *get_proc_fn)(handle_t, const char *);
typedef result_t(CALL *create_instance_fn)(const instance_create_info *, const void *, handle_t *);
typedef void(CALL *destroy_instance_fn)(handle_t, const void *);
typedef result_t(CALL *enumerate_devices_fn)(handle_t, uint32_t *, handle_t *);
typedef result_t(CALL *enumerate_extensions_fn)(handle_t, const char *, uint32_t *, extension_properties *);
typedef void(CALL *get_properties_fn)(handle_t, device_properties_2 *);
typedef void(CALL *get_memory_fn)(handle_t, memory_properties_2 *);

static handle_t instance;
static destroy_instance_fn destroy_instance;
static enumerate_devices_fn enumerate_devices;
static enumerate_extensions_fn enumerate_extensions;
static get_properties_fn get_properties;
static get_memory_fn get_memory;

static get_proc_fn open_loader(void) {
#ifdef _WIN32
	HMODULE lib = LoadLibraryExA("vulkan-1.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
	return lib ? (get_proc_fn)(void (*)(void))GetProcAddress(lib, "vkGetInstanceProcAddr") : NULL;
#else
	void *lib = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
	return lib ? (get_proc_fn)dlsym(lib, "vkGetInstanceProcAddr") : NULL;
#endif
}

int hr_vulkan_open(const char **why, int *result) {
	static const char *const wanted[] = {"VK_KHR_get_physical_device_properties2"};
	application_info app = {TYPE_APPLICATION_INFO, NULL, "headroom", 0, NULL, 0, 1u << 22 | 1u << 12};
	instance_create_info info = {TYPE_INSTANCE_CREATE_INFO, NULL, 0, &app, 0, NULL, 1, wanted};

	*result = 0;
	get_proc_fn get_proc = open_loader();
	if (!get_proc) {
		*why = "there is no Vulkan loader";
		return -1;
	}
	create_instance_fn create = (create_instance_fn)get_proc(NULL, "vkCreateInstance");
	if (!create) {
		*why = "the Vulkan loader has no vkCreateInstance";
		return -1;
	}
	*result = create(&info, NULL, &instance);
	if (*result != SUCCESS) {
		*why = "vkCreateInstance failed";
		instance = NULL;
		return -1;
	}
	destroy_instance = (destroy_instance_fn)get_proc(instance, "vkDestroyInstance");
	enumerate_devices = (enumerate_devices_fn)get_proc(instance, "vkEnumeratePhysicalDevices");
	enumerate_extensions = (enumerate_extensions_fn)get_proc(instance, "vkEnumerateDeviceExtensionProperties");
	get_properties = (get_properties_fn)get_proc(instance, "vkGetPhysicalDeviceProperties2KHR");
	get_memory = (get_memory_fn)get_proc(instance, "vkGetPhysicalDeviceMemoryProperties2KHR");
	if (!destroy_instance || !enumerate_devices || !enumerate_extensions || !get_properties || !get_memory) {
		*why = "the Vulkan loader lacks a function";
		hr_vulkan_close();
		return -1;
	}
	return 0;
}

void hr_vulkan_close(void) {
	if (instance && destroy_instance) {
		destroy_instance(instance, NULL);
	}
	instance = NULL;
}

/* Which of the extensions that matter the device has. */
struct extensions {
	int pci, budget, driver;
};

static struct extensions extensions_of(handle_t device) {
	struct extensions has = {0, 0, 0};
	uint32_t n = 0;
	if (enumerate_extensions(device, NULL, &n, NULL) != SUCCESS || n == 0 || n > 4096) {
		return has;
	}
	extension_properties *list = calloc(n, sizeof *list);
	if (!list) {
		return has;
	}
	result_t r = enumerate_extensions(device, NULL, &n, list);
	if (r == SUCCESS || r == INCOMPLETE) {
		for (uint32_t i = 0; i < n; i++) {
			has.pci |= !strcmp(list[i].name, "VK_EXT_pci_bus_info");
			has.budget |= !strcmp(list[i].name, "VK_EXT_memory_budget");
			has.driver |= !strcmp(list[i].name, "VK_KHR_driver_properties");
		}
	}
	free(list);
	return has;
}

static void copy_text(char to[256], const char from[256]) {
	memcpy(to, from, 255);
	to[255] = 0;
}

static void describe(handle_t device, hr_card *card) {
	struct extensions has = extensions_of(device);

	device_properties_2 props;
	driver_properties driver;
	pci_bus_info pci;
	memset(&props, 0, sizeof props);
	memset(&driver, 0, sizeof driver);
	memset(&pci, 0, sizeof pci);
	props.type = TYPE_PROPERTIES_2;
	driver.type = TYPE_DRIVER_PROPERTIES;
	pci.type = TYPE_PCI_BUS_INFO;
	if (has.driver) {
		driver.next = props.next;
		props.next = &driver;
	}
	if (has.pci) {
		pci.next = props.next;
		props.next = &pci;
	}
	get_properties(device, &props);

	memset(card, 0, sizeof *card);
	copy_text(card->name, props.properties.name);
	copy_text(card->driver, driver.name);
	copy_text(card->driver_info, driver.info);
	card->vendor_id = props.properties.vendor_id;
	card->device_id = props.properties.device_id;
	card->type = (uint32_t)props.properties.device_type;
	card->has_pci = (uint32_t)has.pci;
	card->pci_domain = pci.domain;
	card->pci_bus = pci.bus;
	card->pci_device = pci.device;
	card->pci_function = pci.function;

	memory_properties_2 memory;
	memory_budget budget;
	memset(&memory, 0, sizeof memory);
	memset(&budget, 0, sizeof budget);
	memory.type = TYPE_MEMORY_PROPERTIES_2;
	budget.type = TYPE_MEMORY_BUDGET;
	if (has.budget) {
		memory.next = &budget;
	}
	get_memory(device, &memory);

	/* Discrete cards show a second, small device-local heap that the host can map: the largest is the memory. */
	uint32_t count = memory.properties.heap_count;
	if (count > MAX_HEAPS) {
		count = MAX_HEAPS;
	}
	for (uint32_t i = 0; i < count; i++) {
		const heap_t *heap = &memory.properties.heaps[i];
		if ((heap->flags & HEAP_DEVICE_LOCAL) && heap->size > card->heap) {
			card->heap = heap->size;
			card->has_budget = (uint32_t)has.budget;
			card->budget = budget.budget[i];
			card->usage = budget.usage[i];
		}
	}
}

int hr_vulkan_cards(hr_card *cards, uint32_t max) {
	handle_t devices[64];
	uint32_t n = sizeof devices / sizeof *devices;
	if (n > max) {
		n = max;
	}
	result_t r = enumerate_devices(instance, &n, devices);
	if (r != SUCCESS && r != INCOMPLETE) {
		return r < 0 ? (int)r : -1;
	}
	for (uint32_t i = 0; i < n; i++) {
		describe(devices[i], &cards[i]);
	}
	return (int)n;
}
