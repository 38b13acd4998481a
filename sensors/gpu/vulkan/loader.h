#ifndef HEADROOM_VULKAN_LOADER_H
#define HEADROOM_VULKAN_LOADER_H

#include <stdint.h>

/* What is asked of one physical device. Bytes are 0 and flags are clear where the driver does not tell. */
typedef struct {
	char name[256];
	char driver[256];
	char driver_info[256];
	uint32_t vendor_id, device_id;
	uint32_t type;
	uint32_t has_pci, pci_domain, pci_bus, pci_device, pci_function;
	uint32_t has_budget;
	uint64_t heap, budget, usage;
} hr_card;

/* Opens the loader and an instance. Returns 0, or a word in *why and a VkResult (0 where there is none) in *result. */
int hr_vulkan_open(const char **why, int *result);

/* The number of physical devices, at most max, their descriptions in cards; below 0 a VkResult. */
int hr_vulkan_cards(hr_card *cards, uint32_t max);

/* Releases the instance. */
void hr_vulkan_close(void);

#endif
